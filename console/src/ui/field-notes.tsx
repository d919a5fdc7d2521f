import type { ReactNode } from 'react'
import { FieldError, Text } from 'react-aria-components'

export type FieldWords = {
  readonly label: ReactNode
  /** The expected value, if the label does not say it. */
  readonly hint?: ReactNode
  /** The mistake and how to correct it. */
  readonly problem?: string | undefined
}

/** The lines below a field. */
export const FieldNotes = ({ hint, problem }: Pick<FieldWords, 'hint' | 'problem'>) => (
  <>
    {hint !== undefined && (
      <Text slot="description" className="hint">
        {hint}
      </Text>
    )}
    <FieldError className="problem">{problem}</FieldError>
  </>
)
