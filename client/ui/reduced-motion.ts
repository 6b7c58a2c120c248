/** True if the user prefers reduced motion. For animations in scripts; the style sheets handle CSS animations. */
export const prefersReducedMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches
