import type { Hook } from '@millseal/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'
import { chosenIn, eventNames, type EventName, othersIn, scopesOf } from './scopes.ts'
import { Trial } from './trial.tsx'

export type HookFields = Pick<Hook, 'connectionUrl' | 'mode' | 'ordered' | 'scopes'> & {
  readonly name: string
  readonly notifyEmail: string
}

type Props = {
  readonly hook?: Hook
  readonly save: (fields: HookFields) => Promise<unknown>
  readonly children?: React.ReactNode
}

/** The address, the events and who is told of failures; with a test before anything is saved. */
export const HookForm = ({ hook, save, children }: Props) => {
  const t = useTexts('webhooks')
  const common = useTexts('common')
  const { company, mode: hereMode, isLiveReady } = useHere()
  const [fields, setFields] = useState<HookFields>({
    name: hook?.name ?? '',
    connectionUrl: hook?.connectionUrl ?? '',
    mode: hook?.mode ?? hereMode,
    ordered: hook?.ordered ?? false,
    notifyEmail: hook?.notifyEmail ?? '',
    scopes: hook?.scopes ?? scopesOf(['certificates/notarize_one', 'certificates/receive_one']),
  })
  const change = (changed: Partial<HookFields>) => setFields({ ...fields, ...changed })
  const chosen = chosenIn(fields.scopes)
  const toggle = (name: EventName, isChosen: boolean) => {
    const next = isChosen ? [...chosen, name] : chosen.filter((each) => each !== name)
    change({ scopes: scopesOf([...next, ...othersIn(fields.scopes)]) })
  }
  const saving = useMutation({ mutationFn: () => save(fields) })
  const trial = useMutation({
    mutationFn: () =>
      api.tryHook({
        company,
        body: { connectionUrl: fields.connectionUrl, mode: fields.mode === 'all' ? hereMode : fields.mode },
      }),
  })
  const modes = (isLiveReady ? (['test', 'live', 'all'] as const) : (['test'] as const)).map((id) => ({
    id,
    label: t.modes[id],
  }))
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <Card>
        <div className="pair">
          <TextField
            label={t.name}
            hint={t.nameHint}
            value={fields.name}
            onChange={(name) => change({ name })}
            isRequired
            maxLength={64}
          />
          <Select label={t.mode} options={modes} value={fields.mode} onChange={(mode) => change({ mode })} />
        </div>
        <TextField
          label={t.address}
          hint={t.addressHint}
          type="url"
          value={fields.connectionUrl}
          onChange={(connectionUrl) => change({ connectionUrl })}
          isRequired
        />
        <div className="row">
          <Button
            isDisabled={!URL.canParse(fields.connectionUrl)}
            isPending={trial.isPending}
            onPress={() => trial.mutate()}
          >
            {trial.isPending ? t.testing : t.test}
          </Button>
        </div>
        {trial.isError && <Problem error={trial.error} title={t.testBad} />}
        {trial.data !== undefined && <Trial trial={trial.data} />}
      </Card>
      <Card title={t.whichEvents}>
        {eventNames.map((name) => (
          <Checkbox
            key={name}
            isSelected={chosen.includes(name)}
            onChange={(isChosen) => toggle(name, isChosen)}
          >
            {t.events[name]}
          </Checkbox>
        ))}
        {othersIn(fields.scopes).length > 0 && (
          <p className="muted">
            {t.otherEvents}: {othersIn(fields.scopes).join(', ')}
          </p>
        )}
        {fields.scopes.length === 0 && <p className="problem">{t.chooseOne}</p>}
      </Card>
      <Card>
        <TextField
          label={t.notify}
          hint={t.notifyHint}
          type="email"
          value={fields.notifyEmail}
          onChange={(notifyEmail) => change({ notifyEmail })}
        />
        <Checkbox isSelected={fields.ordered} onChange={(ordered) => change({ ordered })}>
          {t.ordered}
        </Checkbox>
        {children}
        {saving.isError && <Problem error={saving.error} title={t.saveFailed} />}
        <div className="row">
          <Button
            type="submit"
            kind="primary"
            isPending={saving.isPending}
            isDisabled={fields.scopes.length === 0}
          >
            {common.save}
          </Button>
        </div>
      </Card>
    </form>
  )
}
