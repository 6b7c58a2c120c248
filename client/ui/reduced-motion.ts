/** True if the user prefers reduced motion. For animations started by scripts; CSS handles its own. */
export const prefersReducedMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches
