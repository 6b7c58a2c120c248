/** Whether less motion is asked for. The style sheets hold what they move; this is for what a script would begin. */
export const wantsLessMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches
