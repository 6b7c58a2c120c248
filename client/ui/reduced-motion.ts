/** True if the user prefers reduced motion. Use it for animations started by scripts; the style sheets handle CSS animations. */
export const prefersReducedMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches
