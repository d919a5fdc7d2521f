import { Link, useNavigate } from '@tanstack/react-router'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Empty } from '../../ui/screen.tsx'
import { NoCompany } from './data/no-company.tsx'
import { WaitingReleases } from './data/waiting-releases.tsx'
import { ListScreen } from './list/list-screen.tsx'
import { useFileDrop } from './list/use-file-drop.ts'
import { useFiles } from './new/use-files.ts'

export const Screen = () => {
  const { membership } = useHere()
  return membership === undefined ? <NoCompany /> : <Own />
}

const Own = () => {
  const t = useTexts('certificates')
  const { may } = useHere()
  const mayNotarize = may('notarizeCertificate')
  const files = useFiles()
  const navigate = useNavigate()
  const isOver = useFileDrop(
    mayNotarize
      ? (dropped) => {
          void files.add(dropped)
          void navigate({ to: '/new' })
        }
      : undefined,
  )
  const open = files.entries.filter(({ state }) => state !== 'recorded' && state !== 'waiting').length
  return (
    <ListScreen
      title={t.title}
      isReceived={false}
      actions={
        mayNotarize && (
          <Link to="/new" className="button primary">
            {t.newCertificate}
          </Link>
        )
      }
      empty={
        <Empty title={t.emptyTitle}>
          <p>{mayNotarize ? t.emptyText : t.emptyReader}</p>
          {mayNotarize && (
            <Link to="/new" className="button primary">
              {t.newCertificate}
            </Link>
          )}
        </Empty>
      }
      hint={mayNotarize ? t.dropHere : undefined}
    >
      <WaitingReleases />
      {open > 0 && mayNotarize && (
        <div className="notice warn row" role="status">
          <p>
            {t.unfinished(open)} <Link to="/new">{t.unfinishedOpen}</Link>
          </p>
        </div>
      )}
      {isOver && <div className="drop-cover">{t.dropNow}</div>}
    </ListScreen>
  )
}
