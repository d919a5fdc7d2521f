import { useTexts } from '../../../texts/catalog.ts'
import { TextField } from '../../../ui/field.tsx'

const longestReason = 500

/** The reason of a withdrawal or replacement, which receivers read, or of another act with its own words. */
export const ReasonField = (props: {
  readonly value: string
  readonly onChange: (reason: string) => void
  readonly label?: string
  readonly hint?: string
}) => {
  const { reasonLabel: label, reasonHint: hint } = useTexts('certificates')
  return <TextField {...{ label, hint, ...props }} maxLength={longestReason} isRequired />
}
