import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/catalog.ts'
import { Actions } from './actions.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import { Problem } from './problem.tsx'

type Props = {
  /** The button that opens the dialog. */
  readonly trigger: ReactNode
  readonly title: string
  readonly isOpenAtFirst?: boolean
  /** The consequence, in one sentence. */
  readonly consequence: ReactNode
  /** The words on the button that does it. */
  readonly action: string
  /** `primary` is for acts that end nothing. */
  readonly kind?: 'danger' | 'primary'
  /** A text that must be typed first. */
  readonly typed?: string
  /** False until the fields in `children` are complete. */
  readonly isReady?: boolean
  readonly onConfirm: () => Promise<unknown>
  readonly children?: ReactNode
}

/** Asks before an act that cannot be undone: says what will happen, then asks for the name or a second click. */
export const Confirm = ({ trigger, title, isOpenAtFirst = false, ...rest }: Props) => (
  <Dialog trigger={trigger} title={title} role="alertdialog" isOpenAtFirst={isOpenAtFirst}>
    {(close) => <Content {...rest} close={close} />}
  </Dialog>
)

const Content = (
  props: Omit<Props, 'trigger' | 'title' | 'isOpenAtFirst'> & { readonly close: () => void },
) => {
  const { consequence, action, typed, isReady = true, kind = 'danger', onConfirm, children, close } = props
  const t = useTexts('common')
  const [text, setText] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await onConfirm()
      close()
    } catch (cause) {
      setError(cause)
      setBusy(false)
    }
  }
  return (
    <>
      <p>{consequence}</p>
      {children}
      {typed !== undefined && (
        <TextField
          label={t.typeToConfirm(typed)}
          value={text}
          onChange={setText}
          autoFocus={children === undefined}
        />
      )}
      {error !== undefined && <Problem error={error} />}
      <Actions onCancel={close}>
        <Button
          kind={kind}
          isPending={isBusy}
          isDisabled={!isReady || (typed !== undefined && text.trim() !== typed)}
          onPress={() => void confirm()}
        >
          {action}
        </Button>
      </Actions>
    </>
  )
}
