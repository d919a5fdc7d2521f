import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { useFactorRefresh } from './me-queries.ts'

/** The codes are shown once. */
export const ShownCodes = ({
  codes,
  onKept,
}: {
  readonly codes: readonly string[]
  readonly onKept: () => void
}) => {
  const t = useTexts('me').mfa
  return (
    <div className="notice warn" role="status">
      <p>
        <strong>{t.yourCodes}</strong> <CopyButton text={codes.join('\n')} label={t.yourCodes} />
      </p>
      <ol className="codes mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <p>{t.keep}</p>
      <div className="row">
        <Button kind="primary" onPress={onKept}>
          {t.kept}
        </Button>
      </div>
    </div>
  )
}

export const RecoveryCodes = ({
  left,
  onCodes,
}: {
  readonly left: number
  readonly onCodes: (codes: readonly string[]) => void
}) => {
  const t = useTexts('me').mfa
  const refresh = useFactorRefresh()
  const replace = async () => {
    const { recoveryCodes } = await api.regenerateRecoveryCodes()
    onCodes(recoveryCodes)
    await refresh()
  }
  return (
    <>
      <h2>{t.recovery}</h2>
      <p>{left > 0 ? t.recoveryKept(left) : t.recoveryMissing}</p>
      <div className="row">
        <Confirm
          trigger={<Button>{t.newCodes}</Button>}
          title={t.newCodes}
          consequence={t.newCodesConsequence}
          action={t.newCodes}
          onConfirm={replace}
        />
      </div>
    </>
  )
}
