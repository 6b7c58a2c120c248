import { type Entitlement, planWith } from '#shared/entitlements.ts'

/** Something the product does, as the landing and features pages promise it. */
export interface Feature {
  title: string
  /** What every account gets; with `plan`, what the plan gives. */
  text: string
  /** Said where plans are paid for: `{subject} with the Premium Plan.` */
  plan?: { needs: Entitlement; subject: string }
}

/** The text of a feature, with the plan that it needs where plans are paid for. */
export const featureText = ({ text, plan }: Feature, billing: boolean): string =>
  plan && billing ? `${text} ${plan.subject} with the ${planWith(plan.needs)}.` : text
