{{- define "storeferry.tiers" -}}
["small", "medium", "large", "xlarge", "xxlarge", "xxxlarge"]
{{- end -}}

{{/* STOREFERRY_HOST_TIERS: 0 for every tier that the pool does not take. */}}
{{- define "storeferry.hostTiers" -}}
{{- $off := list -}}
{{- range $tier := include "storeferry.tiers" . | fromJsonArray -}}
{{- if not (has $tier $.tiers) -}}{{- $off = append $off (printf "%s=0" $tier) -}}{{- end -}}
{{- end -}}
{{- $off | join "," | default "none" -}}
{{- end -}}

{{/* Runs that need a process: runs that wait for a store or a quota have none. */}}
{{- define "storeferry.queueDepth" -}}
select count(*) from runs where tier in ('{{ .tiers | join "','" }}')
and (status = 'queued' or status = 'in_progress' and coalesce(next_try_at <= now(), true))
{{- end -}}
