import { ServiceError } from '../../contract/service-error.ts'

export function webhookIsOff(): ServiceError {
  return new ServiceError('invalid_transition', 'This webhook is switched off. Switch it on first, then try again.')
}
