import type { ReactNode } from 'react'
import { Actions } from './actions.tsx'
import { Button } from './button.tsx'

type Props = {
  readonly onSubmit: () => void
  readonly children: ReactNode
  /** The words on the button that sends the form. */
  readonly action: string
  readonly kind?: 'plain' | 'primary' | 'danger'
  readonly isPending?: boolean
  readonly isDisabled?: boolean
  /** One field with its button on the same line. */
  readonly isInline?: boolean
  /** Leaves the form without a change. */
  readonly onCancel?: () => void
  /** Content beside the button: another button, or a message. */
  readonly beside?: ReactNode
}

/** Fields with one button, which the Enter key presses, too. */
export const Form = ({
  onSubmit,
  children,
  action,
  kind = 'primary',
  beside,
  onCancel,
  isInline = false,
  ...state
}: Props) => (
  <form
    className={isInline ? 'form inline' : 'form'}
    noValidate
    onSubmit={(event) => {
      event.preventDefault()
      if (state.isPending !== true && state.isDisabled !== true) onSubmit()
    }}
  >
    {children}
    <Actions onCancel={onCancel}>
      {beside}
      <Button kind={kind} type="submit" {...state}>
        {action}
      </Button>
    </Actions>
  </form>
)
