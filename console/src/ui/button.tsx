import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components'

type Props = ButtonProps & {
  /** `primary` is the one thing to do on a screen; `danger` ends something. */
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly children: ReactNode
}

export const Button = ({ kind = 'plain', className, ...props }: Props) => (
  <AriaButton {...props} className={`button ${kind} ${typeof className === 'string' ? className : ''}`} />
)
