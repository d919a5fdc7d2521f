import type { Member, MemberRole } from '@millseal/contract'
import { memberRoles } from '@millseal/contract/vocabulary'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Select } from '../../ui/select.tsx'
import { Problem } from '../../ui/problem.tsx'
import { membersQuery } from './members-query.ts'

type Props = { readonly member: Member; readonly isLastAdmin: boolean }

export const MemberRow = ({ member, isLastAdmin }: Props) => {
  const t = useTexts('company').members
  const { date } = useFormats()
  const { session, membership } = useHere()
  const { user, since } = member
  const isMe = user.id === session.me.id
  const isOwner = user.id === membership?.company.owner.id
  const notes = [...(isMe ? [t.you] : []), ...(isOwner ? [t.owner] : [])]
  return (
    <tr>
      <td>
        <b>{user.username}</b>
        {notes.length > 0 && <span className="muted"> ({notes.join(', ')})</span>}
        <span className="muted below">{user.email}</span>
      </td>
      <td>
        <Role member={member} isLastAdmin={isLastAdmin} />
      </td>
      <td>{date(since)}</td>
      <td>{!isLastAdmin && <Removal member={member} isMe={isMe} />}</td>
    </tr>
  )
}

const Role = ({ member: { user, role }, isLastAdmin }: Props) => {
  const t = useTexts('company').members
  const { company, may } = useHere()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (next: MemberRole) =>
      api.updateMember({ params: { id: company, userId: user.id }, body: { role: next } }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: membersQuery(company).queryKey }),
        queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      ]),
  })
  if (!may('updateMember') || isLastAdmin) return <>{t.roles[role]}</>
  return (
    <>
      <Select
        label={<span className="hidden-visually">{t.roleOf(user.username)}</span>}
        options={memberRoles.map((id) => ({ id, label: t.roles[id] }))}
        value={change.isPending ? change.variables : role}
        onChange={(next) => change.mutate(next)}
      />
      {change.error !== null && <Problem error={change.error} title={t.notChanged} />}
    </>
  )
}

const Removal = ({ member: { user }, isMe }: { readonly member: Member; readonly isMe: boolean }) => {
  const t = useTexts('company').members
  const { company, may } = useHere()
  const queries = useQueryClient()
  const navigate = useNavigate()
  if (!isMe && !may('updateMember')) return null
  const remove = async () => {
    await api.removeMember({ params: { id: company, userId: user.id } })
    await queries.invalidateQueries({
      queryKey: isMe ? sessionQuery.queryKey : membersQuery(company).queryKey,
    })
    if (isMe) await navigate({ to: '/start', search: { company: undefined, mode: undefined } })
  }
  const title = isMe ? t.leaveTitle : t.removeTitle(user.username)
  return (
    <Confirm
      trigger={
        <Button kind="quiet" aria-label={title}>
          {isMe ? t.leave : t.remove}
        </Button>
      }
      title={title}
      consequence={isMe ? t.leaveConsequence : t.removeConsequence(user.username)}
      action={isMe ? t.leave : t.remove}
      onConfirm={remove}
    />
  )
}
