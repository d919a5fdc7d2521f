import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'
import { NewSecret, type Shown } from './new-secret.tsx'
import { rightsOf, scopesOf, startingRights } from './rights.ts'
import { RightsField, useRightsInWords } from './rights-field.tsx'

export const Tokens = () => {
  const t = useTexts('automation')
  const common = useTexts('common')
  const formats = useFormats()
  const inWords = useRightsInWords()
  const { company, may } = useHere()
  const queries = useQueryClient()
  const [shown, setShown] = useState<Shown>()
  const { data: tokens } = useSuspenseQuery({
    queryKey: ['access-tokens', company],
    queryFn: () => api.listAccessTokens({ company }),
  })
  const changed = async (next?: Shown) => {
    setShown(next)
    await queries.invalidateQueries({ queryKey: ['access-tokens', company] })
  }
  return (
    <Card
      title={t.tokens}
      actions={
        may('createAccessToken') && (
          <Dialog title={t.newToken} trigger={<Button>{t.newToken}</Button>}>
            {(close) => <TokenForm onDone={changed} close={close} />}
          </Dialog>
        )
      }
    >
      <p className="muted">{t.tokensText}</p>
      {shown !== undefined && <NewSecret {...shown} onClose={() => setShown(undefined)} />}
      {tokens.length === 0 && <p>{t.noTokens}</p>}
      <ul className="entries">
        {tokens.map(({ id, description, mode, scopes, issuedAt, expiresIn }) => {
          const endsMs = (issuedAt + expiresIn) * 1_000
          return (
            <li key={id}>
              <div className="row">
                <strong>{description ?? id}</strong>
                <span className={mode === 'live' ? 'state good' : 'state wait'}>{common[mode]}</span>
                <span className="muted">
                  {endsMs < Date.now() ? t.expired : t.until(formats.date(endsMs))}
                </span>
                <span className="end">
                  {may('revokeAccessToken') && (
                    <Confirm
                      trigger={<Button kind="quiet">{t.revoke}</Button>}
                      title={t.revokeTitle}
                      consequence={t.revokeText}
                      action={t.revoke}
                      onConfirm={async () => {
                        await api.revokeAccessToken({ company, params: { id } })
                        await changed()
                      }}
                    />
                  )}
                </span>
              </div>
              <p className="muted">{inWords(rightsOf(scopes))}</p>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

const daySeconds = 86_400

const TokenForm = ({
  onDone,
  close,
}: {
  readonly onDone: (next: Shown) => Promise<void>
  readonly close: () => void
}) => {
  const t = useTexts('automation')
  const common = useTexts('common')
  const { company, mode } = useHere()
  const [description, setDescription] = useState('')
  const [days, setDays] = useState('365')
  const [rights, setRights] = useState(startingRights)
  const save = useMutation({
    mutationFn: () =>
      api.createAccessToken({
        company,
        query: { mode },
        body: { description, expiresIn: Number(days) * daySeconds, scopes: scopesOf(rights) },
      }),
    async onSuccess({ jwt }) {
      await onDone({ kind: 'token', secret: jwt })
      close()
    },
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <TextField
        label={t.description}
        value={description}
        onChange={setDescription}
        isRequired
        autoFocus
        maxLength={50}
      />
      <TextField
        label={t.days}
        value={days}
        onChange={setDays}
        inputMode="numeric"
        pattern="[0-9]{1,4}"
        isRequired
      />
      <RightsField value={rights} onChange={setRights} />
      {save.isError && <Problem error={save.error} title={t.failed.token} />}
      <div className="row">
        <span className="end" />
        <Button onPress={close}>{common.cancel}</Button>
        <Button type="submit" kind="primary" isPending={save.isPending}>
          {common.save}
        </Button>
      </div>
    </form>
  )
}
