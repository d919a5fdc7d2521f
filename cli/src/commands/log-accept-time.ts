import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { installationHelp } from './installation-help.ts'

export const logAcceptTime = command({
  options: {
    mode: { value: '<mode>', among: ['test', 'live'], required: true, about: 'the mode of the log' },
  },
  description: `Confirms that the clock of this machine is right now. A log records nothing after the clock jumped by more than a
minute, or while it is more than a minute behind the newest time of the log. If the clock was wrong, correct it instead: then
recording continues by itself. If the clock is behind, new entries get the newest time of the log until the clock has passed it.

${installationHelp} Run it on the machine that writes the log; a running server notices it within seconds.`,
  examples: ['millseal log accept-time --mode live'],
  async run({ values: { mode }, environment }) {
    const { time, newest } = await (await installation(environment)).acceptTime(mode)
    return {
      result: { mode, time, newest },
      text: `${mode}: the clock is right at ${time.toISOString()}; the newest time of the log is ${newest.toISOString()}.\n`,
    }
  },
})
