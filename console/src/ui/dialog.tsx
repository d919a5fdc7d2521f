import type { ReactNode } from 'react'
import { Dialog as AriaDialog, DialogTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components'

type Props = {
  readonly title: string
  readonly children: (close: () => void) => ReactNode
  /** The button that opens the dialog. */
  readonly trigger: ReactNode
}

export const Dialog = ({ title, trigger, children }: Props) => (
  <DialogTrigger>
    {trigger}
    <ModalOverlay className="overlay" isDismissable>
      <Modal className="modal">
        <AriaDialog>
          {({ close }) => (
            <>
              <Heading slot="title">{title}</Heading>
              {children(close)}
            </>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  </DialogTrigger>
)
