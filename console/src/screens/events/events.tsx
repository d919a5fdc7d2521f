import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/problem.tsx'
import { Empty, Fold, Screen as Frame } from '../../ui/screen.tsx'
import { State, type StateKind } from '../../ui/state.tsx'
import { type Connection, type LiveEvent, useLiveEvents } from './use-live-events.ts'

const kinds: Readonly<Record<Connection, StateKind>> = {
  connecting: 'wait',
  listening: 'good',
  away: 'bad',
  refused: 'bad',
}

const longMs = 10_000

/** True once the condition has lasted for a while. */
const useLasting = (isSo: boolean): boolean => {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    setLong(false)
    if (!isSo) return undefined
    const timer = setTimeout(() => setLong(true), longMs)
    return () => clearTimeout(timer)
  }, [isSo])
  return isLong
}

export const Screen = () => {
  const t = useTexts('events')
  const { company, mode } = useHere()
  const { connection, events, clear } = useLiveEvents({ company, mode })
  const isStuck = useLasting(connection === 'connecting' || connection === 'away')
  const [frozen, setFrozen] = useState<readonly LiveEvent[]>()
  const shown = frozen ?? events
  return (
    <Frame
      title={t.title}
      aside={
        <span role="status">
          <State kind={kinds[connection]}>{t.states[connection]}</State>
        </span>
      }
      actions={
        <>
          <Button onPress={() => setFrozen(frozen === undefined ? events : undefined)}>
            {frozen === undefined ? t.pause : t.goOn}
          </Button>
          <Button onPress={clear}>{t.clear}</Button>
        </>
      }
    >
      <p className="muted">{t.intro}</p>
      {isStuck && <Notice kind="warn">{t.stuck}</Notice>}
      {shown.length === 0 ? (
        <Empty title={t.none}>
          <p>{t.noneText}</p>
        </Empty>
      ) : (
        <ul className="entries card">
          {shown.map((event) => (
            <Entry key={event.number} event={event} />
          ))}
        </ul>
      )}
      <p className="muted">
        <Link to="/webhooks">{t.webhooks}</Link>
      </p>
    </Frame>
  )
}

const Entry = ({ event: { name, receivedAt, payload } }: { readonly event: LiveEvent }) => {
  const t = useTexts('events')
  const formats = useFormats()
  return (
    <li>
      <div className="row">
        <strong className="mono">{name}</strong>
        <span>{aboutOf(payload)}</span>
        <span className="end muted">{formats.clock(receivedAt)}</span>
      </div>
      <Fold title={t.content}>
        <pre className="mono json">{JSON.stringify(payload, undefined, 2)}</pre>
      </Fold>
    </li>
  )
}

/** The number and customer of a certificate, or the name of another record. */
const aboutOf = (payload: unknown): string => {
  if (payload === null || typeof payload !== 'object') return ''
  const { name, username, summary } = payload as {
    readonly name?: string
    readonly username?: string
    readonly summary?: { readonly identifier?: string; readonly buyerName?: string }
  }
  return [summary?.identifier, summary?.buyerName, name ?? username].filter(Boolean).join(' · ')
}
