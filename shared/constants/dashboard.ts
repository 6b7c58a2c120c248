/** Number of dealers with whom a new dealer is asked to connect. */
export const startConnections = 3
