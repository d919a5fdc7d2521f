import type { Application, Mode } from '@millseal/contract'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card, Empty } from '../../ui/screen.tsx'
import { NewSecret, type Shown } from './new-secret.tsx'
import { rightsOf, scopesOf, startingRights } from './rights.ts'
import { RightsField, useRightsInWords } from './rights-field.tsx'

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
    <Card title={t.applications} actions={applications.length > 0 && add}>
      <p className="muted">{t.applicationsText}</p>
      {shown !== undefined && <NewSecret {...shown} onClose={() => setShown(undefined)} />}
      {applications.length === 0 ? (
        <Empty title={t.noApplications}>{add}</Empty>
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

type Changed = (next?: Shown) => Promise<void>
type EntryProps = { readonly application: Application; readonly onDone: Changed }

const ApplicationEntry = ({ application, onDone }: EntryProps) => {
  const t = useTexts('automation')
  const common = useTexts('common')
  const formats = useFormats()
  const inWords = useRightsInWords()
  const { company, may } = useHere()
  const { id, name, mode, clientId, scopes, createdAt } = application
  const call = { company, params: { id } }
  return (
    <li>
      <div className="row">
        <strong>{name}</strong>
        <span className={mode === 'live' ? 'state good' : 'state wait'}>{common[mode]}</span>
        <span className="muted">{createdAt !== undefined && t.created(formats.time(createdAt))}</span>
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

type FormProps = { readonly application?: Application; readonly onDone: Changed; readonly close: () => void }

const ApplicationForm = ({ application, onDone, close }: FormProps) => {
  const t = useTexts('automation')
  const common = useTexts('common')
  const here = useHere()
  const [name, setName] = useState(application?.name ?? '')
  const [mode, setMode] = useState<Mode>(application?.mode ?? here.mode)
  const [rights, setRights] = useState(
    application === undefined ? startingRights : rightsOf(application.scopes),
  )
  const scopes = scopesOf(rights)
  const save = useMutation({
    mutationFn: async () => {
      const { company } = here
      if (application !== undefined) {
        await api.updateApplication({ company, params: { id: application.id }, body: { name, scopes } })
        return undefined
      }
      const { clientId, clientSecret } = await api.createApplication({
        company,
        body: { name, mode, scopes },
      })
      return { kind: 'application', clientId, secret: clientSecret } as const
    },
    async onSuccess(secret) {
      await onDone(secret)
      close()
    },
  })
  const modes = (here.isLiveReady ? (['test', 'live'] as const) : (['test'] as const)).map((id) => ({
    id,
    label: common[id],
  }))
  const isEmpty = Object.keys(scopes).length === 0
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <TextField
        label={t.name}
        hint={t.nameHint}
        value={name}
        onChange={setName}
        isRequired
        autoFocus
        maxLength={120}
      />
      {application === undefined && <Select label={t.mode} options={modes} value={mode} onChange={setMode} />}
      <RightsField value={rights} onChange={setRights} />
      {isEmpty && <p className="problem">{t.chooseOne}</p>}
      {save.isError && <Problem error={save.error} title={t.failed.application} />}
      <div className="row">
        <span className="end" />
        <Button onPress={close}>{common.cancel}</Button>
        <Button type="submit" kind="primary" isPending={save.isPending} isDisabled={isEmpty}>
          {common.save}
        </Button>
      </div>
    </form>
  )
}
