import { type Entitlement, planWith } from '#shared/entitlements.ts'

/** A feature for the landing and features pages. */
export interface Feature {
  title: string
  /** Describes the feature. Without `plan`, every account gets it. */
  text: string
  /** Shown if plans cost money: `{subject} with the Premium Plan.` */
  plan?: { needs: Entitlement; subject: string }
}

/** The feature's text, with the plan that it needs if plans cost money. */
export const featureText = ({ text, plan }: Feature, billing: boolean): string =>
  plan && billing ? `${text} ${plan.subject} with the ${planWith(plan.needs)}.` : text
