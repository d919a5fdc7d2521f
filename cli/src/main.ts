#!/usr/bin/env -S node --disable-proto=delete
import { millseal } from './index.ts'

process.exitCode = await millseal(process.argv.slice(2), process.env)
