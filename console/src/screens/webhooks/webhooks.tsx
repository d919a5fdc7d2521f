import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Empty, Screen as Frame } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { hooksQuery } from './queries.ts'
import { chosenIn } from './scopes.ts'

export const Screen = () => {
  const t = useTexts('webhooks')
  const { company, may } = useHere()
  const { data: hooks } = useSuspenseQuery(hooksQuery(company))
  const add = may('createHook') && (
    <Link to="/webhooks/new" className="button primary">
      {t.add}
    </Link>
  )
  return (
    <Frame title={t.title} actions={hooks.length > 0 && add}>
      <p className="muted">{t.intro}</p>
      {hooks.length === 0 ? (
        <Empty title={t.none}>
          <p>{t.noneText}</p>
          {add}
        </Empty>
      ) : (
        <ul className="entries card">
          {hooks.map(({ id, name, connectionUrl, status, mode, scopes, failedDeliveries: failed = 0 }) => {
            return (
              <li key={id}>
                <div className="row">
                  <Link to="/webhooks/$id" params={{ id }}>
                    <strong>{name ?? connectionUrl}</strong>
                  </Link>
                  <span className="muted">{t.modes[mode]}</span>
                  <span className="end">
                    {status === 'disabled' ? (
                      <State kind="gone">{t.disabled}</State>
                    ) : failed > 0 ? (
                      <State kind="bad">{t.failedCount(failed)}</State>
                    ) : (
                      <State kind="good">{t.enabled}</State>
                    )}
                  </span>
                </div>
                <span className="mono">{connectionUrl}</span>
                <span className="muted">
                  {chosenIn(scopes)
                    .map((event) => t.events[event])
                    .join(' · ')}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </Frame>
  )
}
