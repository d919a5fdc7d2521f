import { connect } from '@millseal/sdk'
import { callOptions, readCallToken } from '../calls/options.ts'
import { command } from '../frame/command.ts'
import { accessHelp, credentialHelp } from './credentials.ts'

export const hooksTest = command({
  args: ['webhook'],
  options: callOptions,
  description: `Sends a test event. <webhook> is the id of a webhook, or the address of a receiver that is not registered: then the command
says what it answered, and signs with MILLSEAL_WEBHOOK_SECRET if that is set.

${credentialHelp}
${accessHelp}`,
  examples: ['millseal hooks test https://erp.example.com/millseal', 'millseal hooks test <id>'],
  async run({ args: [webhook = ''], values, environment }) {
    const client = connect(await readCallToken(values, environment, 'bearer'))
    const { company } = values
    if (!/^https?:/.test(webhook)) {
      const { id } = await client.testHook({ params: { id: webhook }, company })
      return {
        result: { event: id },
        text: `Sent. To see what the receiver answered: millseal get event ${id}\n`,
      }
    }
    const secret = environment['MILLSEAL_WEBHOOK_SECRET']
    const trial = await client.tryHook({ body: { connectionUrl: webhook, secret }, company })
    const answer = trial.statusCode === undefined ? (trial.error ?? '') : `status ${trial.statusCode}`
    const text = `${trial.delivered ? 'Delivered' : 'Not delivered'}: ${answer} after ${trial.durationMs} ms\n`
    return { result: trial, text, ok: trial.delivered }
  },
})
