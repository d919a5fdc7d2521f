import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'

/** The dialog around a part. Everything outside it is inert, so a part must open things inside it. */
export const ModalContext = createContext<HTMLDialogElement | null>(null)

const stops = 'a[href], button, input, select, textarea, summary, [tabindex]'

/** From the last stop, the tab key goes to the first one, because the browser would leave the page. */
const isAtEnd = ({
  currentTarget,
  shiftKey,
  defaultPrevented,
}: KeyboardEvent<HTMLDialogElement>): boolean => {
  const reached = [...currentTarget.querySelectorAll<HTMLElement>(stops)].filter(
    (element) => element.tabIndex >= 0 && !element.matches(':disabled') && element.checkVisibility(),
  )
  const active = document.activeElement
  const isFirst = active === reached[0] || active === currentTarget
  const isEnd = shiftKey ? isFirst : active === reached.at(-1) || reached.length === 0
  if (!isEnd || defaultPrevented) return false
  reached.at(shiftKey ? -1 : 0)?.focus()
  return true
}

/** A dialog of the browser, which keeps the focus and returns it. Its title appears first, because fields take time to draw. */
export const Modal = ({
  title,
  role = 'dialog',
  onClose,
  children,
}: {
  readonly title: string
  readonly role?: 'dialog' | 'alertdialog'
  /** Without it, neither Escape nor a click beside the dialog closes it. */
  readonly onClose?: () => void
  readonly children: ReactNode
}) => {
  const [element, setElement] = useState<HTMLDialogElement | null>(null)
  const hasContent = useDeferredValue(true, false)
  const isPressedOutside = useRef(false)
  const titleId = useId()
  useLayoutEffect(() => {
    element?.showModal()
    return () => element?.close()
  }, [element])
  return createPortal(
    <dialog
      ref={setElement}
      className="overlay"
      role={role}
      aria-labelledby={titleId}
      aria-busy={!hasContent}
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      // A browser may close it without asking first.
      onClose={() => (onClose === undefined ? element?.showModal() : onClose())}
      onKeyDown={(event) => {
        if (event.key === 'Tab' && isAtEnd(event)) event.preventDefault()
        if (event.key !== 'Escape') return
        event.stopPropagation()
        if (onClose === undefined) event.preventDefault()
      }}
      onPointerDown={(event) => {
        isPressedOutside.current = event.target === element
      }}
      onClick={(event) => {
        if (isPressedOutside.current && event.target === element) onClose?.()
      }}
    >
      <div className="modal">
        <h2 id={titleId}>{title}</h2>
        <ModalContext value={element}>{hasContent && children}</ModalContext>
      </div>
    </dialog>,
    document.body,
  )
}
