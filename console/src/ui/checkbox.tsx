import type { ReactNode } from 'react'
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components'

type Props = Omit<CheckboxProps, 'children' | 'className'> & { readonly children: ReactNode }

export const Checkbox = ({ children, ...props }: Props) => (
  <AriaCheckbox {...props} className="checkbox">
    <span className="box" aria-hidden="true" />
    <span>{children}</span>
  </AriaCheckbox>
)
