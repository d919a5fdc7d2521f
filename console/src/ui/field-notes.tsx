import type { ReactNode } from 'react'
import { FieldError, Text } from 'react-aria-components'

type Notes = {
  /** The expected value, if the label does not say it. */
  readonly hint?: ReactNode
  /** The mistake and how to correct it. */
  readonly problem?: string | undefined
}

export type FieldWords = Notes & { readonly label: ReactNode }

/** The lines below a field. */
export const FieldNotes = ({ hint, problem }: Notes) => (
  <>
    {hint !== undefined && (
      <Text slot="description" className="hint">
        {hint}
      </Text>
    )}
    <FieldError className="problem">{problem}</FieldError>
  </>
)
