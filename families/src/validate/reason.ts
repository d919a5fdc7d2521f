import type { ErrorObject } from 'ajv'

const maxLength = 200

/** The reason of an ajv error; it follows the pointer in a sentence. */
export const reasonOf = ({ keyword, params, message }: ErrorObject): string => {
  const details: Readonly<Record<string, unknown>> = params
  const text = (name: string): string => quoted(details[name])
  switch (keyword) {
    case 'required':
      return `is missing ${text('missingProperty')}`
    case 'additionalProperties':
      return `must not contain ${text('additionalProperty')}`
    case 'unevaluatedProperties':
      return `must not contain ${text('unevaluatedProperty')}`
    case 'propertyNames':
      return `must not contain ${text('propertyName')}`
    case 'type':
      return `must be ${article(details['type'])}`
    case 'enum':
      return `must be one of ${list(details['allowedValues'])}`
    case 'const':
      return `must be ${text('allowedValue')}`
    case 'format':
      return `must be a valid ${String(details['format'])}`
    case 'pattern':
      return 'does not match the required pattern'
    case 'uniqueItems':
      return 'must not contain the same item twice'
    case 'false schema':
      return 'is not allowed here'
    default:
      return (message ?? 'does not conform to the schema').replace('must NOT', 'must not').slice(0, maxLength)
  }
}

const quoted = (value: unknown): string => JSON.stringify(value ?? '').slice(0, maxLength)

const article = (type: unknown): string => {
  const names = Array.isArray(type) ? type.map(String) : String(type).split(',')
  return names.map((name) => (/^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`)).join(' or ')
}

const list = (values: unknown): string => {
  const all = Array.isArray(values) ? values : []
  const text = all.slice(0, 12).map(quoted).join(', ')
  return all.length > 12 ? `${text} …` : text
}
