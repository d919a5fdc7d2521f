import type { MemberRole } from '@millseal/contract'
import { memberRoles } from '@millseal/contract/vocabulary'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { invitationsQuery } from './members-query.ts'

export const Invite = () => {
  const t = useTexts('company').members
  return (
    <Dialog title={t.invite} trigger={<Button kind="primary">{t.invite}</Button>}>
      {(close) => <Fields close={close} />}
    </Dialog>
  )
}

const Fields = ({ close }: { readonly close: () => void }) => {
  const t = useTexts('company').members
  const { company } = useHere()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<MemberRole>('clerk')
  const invite = useMutation({
    mutationFn: () => api.createInvitation({ params: { id: company }, body: { email: email.trim(), role } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: invitationsQuery(company).queryKey })
      close()
    },
  })
  return (
    <Form
      action={t.action}
      isPending={invite.isPending}
      isDisabled={!email.includes('@')}
      onSubmit={() => invite.mutate()}
      onCancel={close}
    >
      <TextField
        label={t.email}
        type="email"
        value={email}
        onChange={setEmail}
        hint={t.inviteHint}
        autoFocus
      />
      <Select
        label={t.role}
        options={memberRoles.map((id) => ({ id, label: t.roles[id] }))}
        value={role}
        onChange={setRole}
        hint={t.roleHints[role]}
      />
      {invite.error !== null && <Problem error={invite.error} title={t.failed} />}
    </Form>
  )
}
