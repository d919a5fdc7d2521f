import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { refreshKeys } from './keys-queries.ts'

type Props = {
  readonly title: string
  /** The title of the problem if saving fails. */
  readonly failed: string
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly shortest: number
  readonly longest: number
  readonly save: (name: string) => Promise<unknown>
}

/** A button that asks for another name of a wallet or an identity. */
export const RenameDialog = (props: Props) => (
  <Dialog title={props.title} trigger={<Button>{props.title}</Button>}>
    {(close) => <NewName {...props} close={close} />}
  </Dialog>
)

const NewName = ({
  failed,
  name: before,
  label,
  hint,
  shortest,
  longest,
  save: saveName,
  close,
}: Props & { readonly close: () => void }) => {
  const common = useTexts('common')
  const queries = useQueryClient()
  const [name, setName] = useState(before)
  const save = useMutation({
    mutationFn: () => saveName(name.trim()),
    onSuccess: async () => {
      await refreshKeys(queries)
      close()
    },
  })
  return (
    <Form
      action={common.save}
      isPending={save.isPending}
      isDisabled={name.trim().length < shortest}
      onSubmit={() => save.mutate()}
      onCancel={close}
    >
      <TextField label={label} value={name} onChange={setName} maxLength={longest} hint={hint} autoFocus />
      {save.error !== null && <Problem error={save.error} title={failed} />}
    </Form>
  )
}
