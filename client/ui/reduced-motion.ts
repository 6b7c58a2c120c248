/** For animations started by scripts. The style sheets handle CSS animations. */
export const prefersReducedMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches
