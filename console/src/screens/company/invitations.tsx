import type { Invitation } from '@millseal/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { invitationsQuery, membersQuery } from './members-query.ts'

/** Newest first. Shows nothing if there are no invitations. */
export const Invitations = () => {
  const t = useTexts('company').members
  const { company } = useHere()
  const queries = useQueryClient()
  const { data = [], error } = useQuery(invitationsQuery(company))
  const accepted = data.filter(({ state }) => state === 'accepted').length
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: membersQuery(company).queryKey })
  }, [accepted, company, queries])
  if (error !== null) return <Problem error={error} />
  if (data.length === 0) return null
  const ordered = data.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))
  return (
    <Card title={t.invitations}>
      <ul className="lines" aria-label={t.invitationTable}>
        {ordered.map((invitation) => (
          <Line key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </Card>
  )
}

const kinds = { open: 'wait', accepted: 'good', withdrawn: 'gone', expired: 'gone' } as const

const Line = ({ invitation }: { readonly invitation: Invitation }) => {
  const t = useTexts('company').members
  const { date } = useFormats()
  const { email, role, state, invitedBy, expiresAt, mail } = invitation
  const isOpen = state === 'open'
  return (
    <li className="row">
      <span>
        <b className="breakable">{email}</b> <span className="muted">{t.roles[role]}</span>
        <span className="muted below">
          {t.by(invitedBy.username)}
          {isOpen && `, ${t.expires(date(expiresAt))}. ${t.mails[mail.state]}`}
        </span>
      </span>
      <span className="end row">
        <State kind={kinds[state]}>{t.states[state]}</State>
        {isOpen && <Withdrawal invitation={invitation} />}
      </span>
    </li>
  )
}

const Withdrawal = ({ invitation: { id, email } }: { readonly invitation: Invitation }) => {
  const t = useTexts('company').members
  const { company, may } = useHere()
  const queries = useQueryClient()
  if (!may('withdrawInvitation')) return null
  const withdraw = async () => {
    await api.withdrawInvitation({ params: { id: company, invitationId: id } })
    await queries.invalidateQueries({ queryKey: invitationsQuery(company).queryKey })
  }
  return (
    <Confirm
      trigger={
        <Button kind="quiet" aria-label={t.withdrawTitle(email)}>
          {t.withdraw}
        </Button>
      }
      title={t.withdrawTitle(email)}
      consequence={t.withdrawConsequence}
      action={t.withdraw}
      onConfirm={withdraw}
    />
  )
}
