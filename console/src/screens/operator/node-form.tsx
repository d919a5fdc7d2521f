import type { LedgerNode, Mode } from '@millseal/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'

type Props = {
  readonly mode: Mode
  /** Without a node, the form adds one. */
  readonly node?: LedgerNode
}

export const NodeForm = ({ mode, node }: Props) => {
  const t = useTexts('operator').networks
  return (
    <Dialog
      title={node === undefined ? t.add : t.editTitle(node.name)}
      trigger={
        node === undefined ? (
          <Button>{t.add}</Button>
        ) : (
          <Button aria-label={`${t.edit}: ${node.name}`}>{t.edit}</Button>
        )
      }
    >
      {(close) => <Fields mode={mode} {...(node !== undefined && { node })} close={close} />}
    </Dialog>
  )
}

const Fields = ({ mode, node, close }: Props & { readonly close: () => void }) => {
  const t = useTexts('operator').networks
  const common = useTexts('common')
  const queries = useQueryClient()
  const [name, setName] = useState(node?.name ?? '')
  const [connectionUrl, setConnectionUrl] = useState(node?.connectionUrl ?? 'embedded')
  const body = { name: name.trim(), connectionUrl: connectionUrl.trim() }
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      node === undefined
        ? api.createNode({ query: { mode }, body: { ...body, coinType: 822 } })
        : api.updateNode({ params: { id: node.id }, query: { mode }, body }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['operator', 'nodes', mode] })
      close()
    },
  })
  return (
    <Form action={common.save} isPending={isPending} onSubmit={mutate} onCancel={close}>
      <TextField label={t.name} hint={t.nameHint} value={name} onChange={setName} maxLength={64} autoFocus />
      <TextField label={t.url} hint={t.urlHint} value={connectionUrl} onChange={setConnectionUrl} />
      {error !== null && <Problem error={error} title={t.notSaved} />}
    </Form>
  )
}
