import { inEnglish, type Reason } from '@millseal/contract/reasons'

type Stored = { readonly error: string; readonly reasons: string }

const sentences = (reasons: readonly Reason[]): string => reasons.map(inEnglish).join('. ')

/** As two columns: older processes and rows have the sentences only. */
export const storedReasons = (reasons: readonly Reason[], maxLength?: number): Stored => ({
  error: sentences(reasons).slice(0, maxLength),
  reasons: JSON.stringify(reasons),
})

/** Undefined if an older release wrote the text: then the reasons, if any, are those of an earlier error. */
export const readReasons = ({
  error,
  reasons,
}: { [N in keyof Stored]: string | null }): Reason[] | undefined => {
  if (error === null || reasons === null) return undefined
  const known = JSON.parse(reasons) as Reason[]
  return sentences(known).startsWith(error) ? known : undefined
}
