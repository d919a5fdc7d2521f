import { memberRoles } from '@millseal/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Problem } from '../../ui/problem.tsx'
import { Card, Screen as Frame, Loading } from '../../ui/screen.tsx'
import './company.css'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { MemberRow } from './member-row.tsx'
import { membersQuery } from './members-query.ts'

export const Screen = () => {
  const t = useTexts('company').members
  const { company, may } = useHere()
  const { data, error, refetch } = useQuery(membersQuery(company))
  const admins = data?.filter(({ role }) => role === 'admin').length ?? 0
  return (
    <Frame title={t.title} actions={may('createInvitation') && <Invite />}>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Loading />
      ) : (
        <div className="scroll" tabIndex={0} role="region" aria-label={t.table}>
          <table className="table members narrow-cards" aria-label={t.table}>
            <thead>
              <tr>
                <th scope="col">{t.person}</th>
                <th scope="col">{t.role}</th>
                <th scope="col">{t.since}</th>
                <th scope="col">
                  <span className="hidden-visually">{t.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((member) => (
                <MemberRow
                  key={member.user.id}
                  member={member}
                  isLastAdmin={member.role === 'admin' && admins === 1}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {admins === 1 && may('updateMember') && <p className="muted">{t.lastAdmin}</p>}
      {may('listInvitations') && <Invitations />}
      <Card>
        <dl className="facts">
          {memberRoles.map((role) => (
            <div key={role}>
              <dt>{t.roles[role]}</dt>
              <dd>{t.roleHints[role]}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </Frame>
  )
}
