import { type ReactNode, useState } from 'react'
import { ButtonContext } from 'react-aria-components'
import { Modal } from './modal.tsx'

export const Dialog = ({
  title,
  role = 'dialog',
  trigger,
  isOpenAtFirst = false,
  children,
}: {
  readonly title: string
  readonly role?: 'dialog' | 'alertdialog'
  readonly children: (close: () => void) => ReactNode
  /** The button that opens the dialog. */
  readonly trigger: ReactNode
  /** True for a link that leads to the dialog. */
  readonly isOpenAtFirst?: boolean
}) => {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const close = () => setOpen(false)
  return (
    <>
      <ButtonContext value={{ onPress: () => setOpen(true), 'aria-expanded': isOpen }}>
        {trigger}
      </ButtonContext>
      {isOpen && (
        <Modal title={title} role={role} onClose={close}>
          {children(close)}
        </Modal>
      )}
    </>
  )
}
