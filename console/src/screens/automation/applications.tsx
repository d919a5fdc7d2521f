import type { Application } from '@millseal/contract'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Card, Empty } from '../../ui/screen.tsx'
import { NewSecret, type Shown } from './new-secret.tsx'
import { ApplicationForm, type Changed } from './application-form.tsx'
import { rightsOf } from './rights.ts'
import { useRightsInWords } from './rights-field.tsx'

export const Applications = () => {
  const t = useTexts('automation')
  const { company, may } = useHere()
  const queries = useQueryClient()
  const [shown, setShown] = useState<Shown>()
  const { data: applications } = useSuspenseQuery({
    queryKey: ['applications', company],
    queryFn: () => api.listApplications({ company, query: {} }),
  })
  const changed = async (next?: Shown) => {
    setShown(next)
    await queries.invalidateQueries({ queryKey: ['applications', company] })
  }
  const add = may('createApplication') && (
    <Dialog title={t.newApplication} trigger={<Button kind="primary">{t.newApplication}</Button>}>
      {(close) => <ApplicationForm onDone={changed} close={close} />}
    </Dialog>
  )
  return (
    <Card title={t.applications} actions={add}>
      <p className="muted">{t.applicationsText}</p>
      {shown !== undefined && <NewSecret {...shown} onClose={() => setShown(undefined)} />}
      {applications.length === 0 ? (
        <Empty title={t.noApplications} />
      ) : (
        <ul className="entries">
          {applications.map((application) => (
            <ApplicationEntry key={application.id} application={application} onDone={changed} />
          ))}
        </ul>
      )}
    </Card>
  )
}

type EntryProps = { readonly application: Application; readonly onDone: Changed }

const ApplicationEntry = ({ application, onDone }: EntryProps) => {
  const t = useTexts('automation')
  const common = useTexts('common')
  const formats = useFormats()
  const inWords = useRightsInWords()
  const { company, may } = useHere()
  const { id, name, mode, clientId, scopes, createdAt, lastUsedAt } = application
  const call = { company, params: { id } }
  return (
    <li>
      <div className="row">
        <strong>{name}</strong>
        <span className={mode === 'live' ? 'state good' : 'state wait'}>{common[mode]}</span>
        <span className="muted">
          {createdAt !== undefined && t.created(formats.date(createdAt))} ·{' '}
          {lastUsedAt === undefined ? t.neverUsed : t.lastUsed(formats.time(lastUsedAt))}
        </span>
        <span className="end row">
          {may('updateApplication') && (
            <Dialog title={t.editTitle(name)} trigger={<Button kind="quiet">{t.edit}</Button>}>
              {(close) => <ApplicationForm application={application} onDone={onDone} close={close} />}
            </Dialog>
          )}
          {may('rotateApplicationSecret') && (
            <Confirm
              trigger={<Button kind="quiet">{t.rotate}</Button>}
              title={t.rotateTitle(name)}
              consequence={t.rotateText}
              action={t.rotate}
              onConfirm={async () => {
                const { clientSecret } = await api.rotateApplicationSecret(call)
                await onDone({ kind: 'application', clientId, secret: clientSecret })
              }}
            />
          )}
          {may('deleteApplication') && (
            <Confirm
              trigger={<Button kind="quiet">{t.remove}</Button>}
              title={t.removeTitle(name)}
              consequence={t.removeText}
              action={t.remove}
              typed={name}
              onConfirm={async () => {
                await api.deleteApplication(call)
                await onDone()
              }}
            />
          )}
        </span>
      </div>
      <div className="row">
        <span className="muted">{t.clientId}</span>
        <Copyable text={clientId} label={t.clientId} />
      </div>
      <p className="muted">{inWords(rightsOf(scopes))}</p>
    </li>
  )
}
