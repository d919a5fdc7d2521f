import { inEnglish, type Reason } from '@millseal/contract/reasons'

/** Each reason names the field. */
export class RequirementUnreadable extends Error {
  override readonly name = 'RequirementUnreadable'
  readonly reasons: readonly Reason[]

  constructor(reasons: readonly Reason[]) {
    super(reasons.map(inEnglish).join('; '))
    this.reasons = reasons
  }
}
