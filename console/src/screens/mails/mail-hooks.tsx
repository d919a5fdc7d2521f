import type { MailHook } from '@millseal/contract'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { chosenIn, eventNames, type EventName, scopesOf } from '../webhooks/scopes.ts'

/** The people of the company who get mails about events. */
export const MailHooks = () => {
  const t = useTexts('mails')
  const { company, may } = useHere()
  const queries = useQueryClient()
  const { data: hooks } = useSuspenseQuery({
    queryKey: ['mail-hooks', company],
    queryFn: () => api.listMailHooks({ company }),
  })
  const refresh = () => queries.invalidateQueries({ queryKey: ['mail-hooks', company] })
  return (
    <Card
      title={t.hooks}
      actions={
        may('createMailHook') && (
          <Dialog title={t.addHook} trigger={<Button>{t.addHook}</Button>}>
            {(close) => <HookForm onDone={refresh} close={close} />}
          </Dialog>
        )
      }
    >
      <p className="muted">{t.hooksText}</p>
      {hooks.length === 0 && <p>{t.noHooks}</p>}
      <ul className="entries">
        {hooks.map((hook) => (
          <Entry key={hook.id} hook={hook} onDone={refresh} />
        ))}
      </ul>
    </Card>
  )
}

const Entry = ({ hook, onDone }: { readonly hook: MailHook; readonly onDone: () => Promise<void> }) => {
  const t = useTexts('mails')
  const webhooks = useTexts('webhooks')
  const { company, may } = useHere()
  const { id, description, status, scopes } = hook
  const isOn = status === 'enabled'
  const toggle = useMutation({
    mutationFn: () =>
      api.updateMailHook({ company, params: { id }, body: { status: isOn ? 'disabled' : 'enabled' } }),
    onSuccess: onDone,
  })
  return (
    <li>
      <div className="row">
        <strong>{description ?? id}</strong>
        <State kind={isOn ? 'good' : 'gone'}>{isOn ? t.enabled : t.disabled}</State>
        <span className="end row">
          {may('updateMailHook') && (
            <Button kind="quiet" isPending={toggle.isPending} onPress={() => toggle.mutate()}>
              {isOn ? t.switchOff : t.switchOn}
            </Button>
          )}
          {may('deleteMailHook') && (
            <Confirm
              trigger={<Button kind="quiet">{t.remove}</Button>}
              title={t.removeTitle}
              consequence={t.removeText}
              action={t.remove}
              onConfirm={async () => {
                await api.deleteMailHook({ company, params: { id } })
                await onDone()
              }}
            />
          )}
        </span>
      </div>
      <p className="muted">
        {chosenIn(scopes)
          .map((name) => webhooks.events[name])
          .join(' · ')}
      </p>
      {toggle.isError && <Problem error={toggle.error} />}
    </li>
  )
}

type FormProps = { readonly onDone: () => Promise<void>; readonly close: () => void }

const HookForm = ({ onDone, close }: FormProps) => {
  const t = useTexts('mails')
  const common = useTexts('common')
  const webhooks = useTexts('webhooks')
  const { company } = useHere()
  const [description, setDescription] = useState('')
  const [chosen, setChosen] = useState<readonly EventName[]>(['certificates/receive_one'])
  const save = useMutation({
    mutationFn: () => api.createMailHook({ company, body: { description, scopes: scopesOf(chosen) } }),
    async onSuccess() {
      await onDone()
      close()
    },
  })
  return (
    <Form
      action={common.save}
      isPending={save.isPending}
      isDisabled={chosen.length === 0 || description.trim() === ''}
      onSubmit={() => save.mutate()}
      onCancel={close}
    >
      <TextField
        label={t.description}
        hint={t.descriptionHint}
        value={description}
        onChange={setDescription}
        isRequired
        autoFocus
        maxLength={50}
      />
      <fieldset className="rights">
        <legend>{t.whichEvents}</legend>
        {eventNames.map((name) => (
          <Checkbox
            key={name}
            isSelected={chosen.includes(name)}
            onChange={(isChosen) =>
              setChosen(isChosen ? [...chosen, name] : chosen.filter((each) => each !== name))
            }
          >
            {webhooks.events[name]}
          </Checkbox>
        ))}
      </fieldset>
      {chosen.length === 0 && <p className="problem">{t.chooseOne}</p>}
      {save.isError && <Problem error={save.error} title={t.saveFailed} />}
    </Form>
  )
}
