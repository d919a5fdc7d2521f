import type { AccessToken } from '@millseal/contract'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Card } from '../../ui/screen.tsx'
import { NewSecret, type Shown } from './new-secret.tsx'
import { rightsOf } from './rights.ts'
import { useRightsInWords } from './rights-field.tsx'
import { TokenForm } from './token-form.tsx'

export const Tokens = () => {
  const t = useTexts('automation')
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
        {tokens.map((token) => (
          <Entry key={token.id} token={token} onDone={changed} />
        ))}
      </ul>
    </Card>
  )
}

const Entry = ({
  token: { id, description, mode, scopes, issuedAt, expiresIn },
  onDone,
}: {
  readonly token: AccessToken
  readonly onDone: () => Promise<void>
}) => {
  const t = useTexts('automation')
  const common = useTexts('common')
  const formats = useFormats()
  const inWords = useRightsInWords()
  const { company, may } = useHere()
  const endsMs = (issuedAt + expiresIn) * 1_000
  return (
    <li>
      <div className="row">
        <strong>{description ?? id}</strong>
        <span className={mode === 'live' ? 'state good' : 'state wait'}>{common[mode]}</span>
        <span className="muted">{endsMs < Date.now() ? t.expired : t.until(formats.date(endsMs))}</span>
        <span className="end">
          {may('revokeAccessToken') && (
            <Confirm
              trigger={<Button kind="quiet">{t.revoke}</Button>}
              title={t.revokeTitle}
              consequence={t.revokeText}
              action={t.revoke}
              onConfirm={async () => {
                await api.revokeAccessToken({ company, params: { id } })
                await onDone()
              }}
            />
          )}
        </span>
      </div>
      <p className="muted">{inWords(rightsOf(scopes))}</p>
    </li>
  )
}
