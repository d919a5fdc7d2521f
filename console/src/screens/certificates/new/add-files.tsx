import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { useTexts } from '../../../texts/catalog.ts'
import { useFormats } from '../../../texts/format.ts'
import { Actions } from '../../../ui/actions.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { addresses } from '../data/addresses.ts'

type Props = {
  readonly onFiles: (files: readonly File[]) => void
  readonly onText: (name: string, text: string) => void
}

/** The three ways to a new certificate. Dropping works on the whole page. */
export const AddFiles = ({ onFiles, onText }: Props) => {
  const t = useTexts('files')
  return (
    <div className="add-files">
      <div>
        <h2>{t.dropFiles}</h2>
        <p className="muted">{t.dropFilesText}</p>
      </div>
      <div className="row">
        <FileTrigger
          allowsMultiple
          acceptedFileTypes={['.json', 'application/json', '.pdf', 'application/pdf']}
          onSelect={(list) => {
            if (list !== null) onFiles([...list])
          }}
        >
          <Button kind="primary">{t.chooseFiles}</Button>
        </FileTrigger>
        <Dialog title={t.pasteTitle} trigger={<Button>{t.pasteJson}</Button>}>
          {(close) => <Paste onText={onText} close={close} />}
        </Dialog>
        <Link to={addresses.form} className="button">
          {t.fillForm}
        </Link>
      </div>
    </div>
  )
}

const Paste = ({ onText, close }: { readonly onText: Props['onText']; readonly close: () => void }) => {
  const t = useTexts('files')
  const { clock } = useFormats()
  const [text, setText] = useState('')
  const add = () => {
    onText(t.pastedName(clock(new Date())), text)
    close()
  }
  return (
    <>
      <TextField label={t.pasteLabel} rows={12} value={text} onChange={setText} autoFocus />
      <Actions onCancel={close}>
        <Button kind="primary" isDisabled={text.trim() === ''} onPress={add}>
          {t.pasteAdd}
        </Button>
      </Actions>
    </>
  )
}
