import { type Entitlement, planWith } from '#shared/entitlements.ts'

export interface Feature {
  title: string
  /** Describes the feature. If `plan` is omitted, every account includes the feature. */
  text: string
  /** The plan that includes the feature. Shown as `{subject} with the Premium Plan.` if billing is on. */
  plan?: { needs: Entitlement; subject: string }
}

export const featureText = ({ text, plan }: Feature, billing: boolean): string =>
  plan && billing ? `${text} ${plan.subject} with the ${planWith(plan.needs)}.` : text
