import type { Session } from '@millseal/contract'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Card } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { deviceOf } from './device.ts'
import { sessionsQuery } from './me-queries.ts'

export const Sessions = () => {
  const t = useTexts('me').sessions
  const queries = useQueryClient()
  const { data } = useSuspenseQuery(sessionsQuery)
  const others = data.filter(({ current }) => !current)
  const end = async (sessions: readonly Session[]) => {
    try {
      await Promise.all(sessions.map(({ id }) => api.endSession({ params: { sessionId: id } })))
    } finally {
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    }
  }
  return (
    <Card
      title={t.title}
      actions={
        others.length > 0 && (
          <Confirm
            trigger={<Button>{t.endOthers}</Button>}
            title={t.endOthers}
            consequence={t.endOthersConsequence(others.length)}
            action={t.endOthers}
            onConfirm={() => end(others)}
          />
        )
      }
    >
      <ul className="lines">
        {[...data.filter(({ current }) => current), ...others].map((session) => (
          <Line key={session.id} session={session} onEnd={() => end([session])} />
        ))}
      </ul>
    </Card>
  )
}

const Line = ({ session, onEnd }: { readonly session: Session; readonly onEnd: () => Promise<void> }) => {
  const t = useTexts('me').sessions
  const { time } = useFormats()
  const known = deviceOf(session.device)
  const device = known === undefined ? t.unknown : t.on(known.browser, known.system)
  return (
    <li className="row">
      <span>
        <b title={session.device}>{device}</b>
        <span className="muted below">
          {t.since} {time(session.loggedInAt)} · {session.ipAddress}
        </span>
      </span>
      <span className="end">
        {session.current ? (
          <State kind="good">{t.here}</State>
        ) : (
          <Confirm
            trigger={
              <Button kind="quiet" aria-label={t.endTitle(device)}>
                {t.end}
              </Button>
            }
            title={t.endTitle(device)}
            consequence={t.endConsequence}
            action={t.end}
            onConfirm={onEnd}
          />
        )}
      </span>
    </li>
  )
}
