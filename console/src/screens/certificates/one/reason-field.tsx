import { useTexts } from '../../../texts/catalog.ts'
import { TextField } from '../../../ui/field.tsx'

const longestReason = 500

/** The reason of a withdrawal or replacement, which receivers read. */
export const ReasonField = (props: {
  readonly value: string
  readonly onChange: (reason: string) => void
}) => {
  const t = useTexts('certificates')
  return (
    <TextField {...props} label={t.reasonLabel} hint={t.reasonHint} maxLength={longestReason} isRequired />
  )
}
