import { useState } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { Actions } from '../../ui/actions.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'

/** A way to paste for people who do not know that a cell accepts it, and for phones. */
export const PasteDialog = ({
  title,
  onTake,
}: {
  readonly title: string
  readonly onTake: (text: string) => void
}) => {
  const t = useTexts('form')
  return (
    <Dialog title={`${t.paste}: ${title}`} trigger={<Button kind="quiet">{t.paste}</Button>}>
      {(close) => (
        <Content
          onCancel={close}
          onTake={(text) => {
            onTake(text)
            close()
          }}
        />
      )}
    </Dialog>
  )
}

const Content = ({
  onTake,
  onCancel,
}: {
  readonly onTake: (text: string) => void
  readonly onCancel: () => void
}) => {
  const t = useTexts('form')
  const [text, setText] = useState('')
  return (
    <>
      <TextField label={t.pasteHere} hint={t.pasteHint} rows={8} value={text} onChange={setText} autoFocus />
      <Actions onCancel={onCancel}>
        <Button kind="primary" isDisabled={text.trim() === ''} onPress={() => onTake(text)}>
          {t.takeOver}
        </Button>
      </Actions>
    </>
  )
}
