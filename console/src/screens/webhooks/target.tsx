import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'
import type { HookFields } from './hook-fields.ts'
import { Trial } from './trial.tsx'

/** The address of a webhook, and a test of it. */
export const Target = ({
  fields,
  change,
}: {
  readonly fields: HookFields
  readonly change: (changed: Partial<HookFields>) => void
}) => {
  const t = useTexts('webhooks')
  const { company, mode, isLiveReady } = useHere()
  const { connectionUrl } = fields
  const trial = useMutation({
    mutationFn: () =>
      api.tryHook({ company, body: { connectionUrl, mode: fields.mode === 'all' ? mode : fields.mode } }),
  })
  const modes = (isLiveReady ? (['test', 'live', 'all'] as const) : (['test'] as const)).map((id) => ({
    id,
    label: t.modes[id],
  }))
  return (
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
        <Select
          label={t.mode}
          options={modes}
          value={fields.mode}
          onChange={(next) => change({ mode: next })}
        />
      </div>
      <TextField
        label={t.address}
        hint={t.addressHint}
        type="url"
        value={connectionUrl}
        onChange={(next) => change({ connectionUrl: next })}
        isRequired
      />
      <div className="row">
        <Button
          isDisabled={!URL.canParse(connectionUrl)}
          isPending={trial.isPending}
          onPress={() => trial.mutate()}
        >
          {trial.isPending ? t.testing : t.test}
        </Button>
      </div>
      {trial.isError && <Problem error={trial.error} title={t.testBad} />}
      {trial.data !== undefined && <Trial trial={trial.data} />}
    </Card>
  )
}
