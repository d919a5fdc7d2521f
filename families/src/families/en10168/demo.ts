import type { Family } from '../../family.ts'
import sample from './sample.json' with { type: 'json' }

/** A ring and a dot. */
const logo =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAGAAAABgAQMAAADYVuV7AAAABlBMVEUfTnn///+mrSatAAABKklEQVR4nL3UMY6EMAwF0B9RUOYIOQpHI0fjKBwhZYoIr76dWfhIW0yzNKOHBid27MAeD75BTTc6UH5RgfTBBQD7RCfKxEmsE5VIAf/EP4LZCGyOHiiOM7A6jsDiqIHkwHwIRi7dY4ORk/93C2SzFui+3uBC4DvPBdlgZyRWsTq4e/+BHfyeERZHiaIQlcEYLjlYC7scmEUFXrhiGS6042JWfA7sGDc2DG6gZW5h4lg+yB7JGjZ0ZGa+W0NxDOYXKHFyfaIxTaLdyI6TlQ5sgTFxsOz/gMeisp3HRiWFV3KS9qMgUqpXEaW8j8LLkchh/X2mevTSFNIu0kjSYtJ80pbSsNLK0uTS/jIYOjIyTDJmMoAymjK0Ms466HIFyOUg14ZeKHLVfHlX/QAIn5UJvOVknQAAAABJRU5ErkJggg=='

export const demo: NonNullable<Family['demo']> = ({ seller, number, date, isChanged }) => {
  const {
    CommercialTransaction: transaction,
    Inspection: inspections,
    Validation: validation,
  } = sample.Certificate
  return {
    ...sample,
    Certificate: {
      ...sample.Certificate,
      CommercialTransaction: {
        ...transaction,
        A01: { ...transaction.A01, Name: seller },
        A03: number,
        A04: logo,
      },
      Inspection: inspections.map((one) => {
        const { C11: strength, ...others } = one.TensileTest
        const value = strength.Value + (isChanged ? 30 : 0)
        return { ...one, TensileTest: { C11: { ...strength, Value: value }, ...others } }
      }),
      Validation: { ...validation, Z02: date },
    },
  }
}
