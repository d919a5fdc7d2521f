/** The heading above a setting: a group ends where the next begins. */
const headings: Readonly<Record<string, string>> = {
  MILLSEAL_PORT: 'Address and data',
  MILLSEAL_FILES: 'Files of the log',
  DATABASE_URL: 'Database and processes',
  MILLSEAL_MQTT_PORT: 'MQTT',
  MILLSEAL_RATE_LIMIT: 'Limits and certificates',
  SMTP_URL: 'Mail',
  OIDC_ISSUER: 'Sign-in at your own OpenID provider',
  MILLSEAL_MASTER_KEY: 'Keys',
  MILLSEAL_VIES: 'Review of companies',
  MILLSEAL_LEDGER_ORIGIN: 'Ledger',
  MILLSEAL_STAMPS: 'Time stamps, seals and cosigners',
  MILLSEAL_NODE_LOGS: 'Node: logs of other organisations',
  MILLSEAL_WEBHOOK_ALLOW: 'Webhooks',
  MILLSEAL_METRICS_TOKEN: 'Monitoring and stop',
}

/** Settings with their defaults, in groups. */
export const helpOf = (
  settings: readonly { readonly name: string; readonly about: string; readonly fallback: string }[],
): string =>
  settings
    .map(({ name, about, fallback }) => {
      const heading = headings[name] === undefined ? '' : `\n${headings[name]}:\n`
      return `${heading}  ${name}${fallback === '' ? '' : ` (${fallback})`}\n      ${about}`
    })
    .join('\n')
    .trimStart()
