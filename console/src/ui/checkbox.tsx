import type { ReactNode } from 'react'
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components'

export const Checkbox = ({
  children,
  ...props
}: Omit<CheckboxProps, 'children' | 'className'> & { readonly children: ReactNode }) => (
  <AriaCheckbox {...props} className="checkbox">
    <span className="box" aria-hidden="true" />
    <span>{children}</span>
  </AriaCheckbox>
)
