{{/* Names of pods end in -worker- and a key of at most 15 characters, and fit into 63. */}}
{{- define "storeferry.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What a selector names; the arguments are the root and the component. */}}
{{- define "storeferry.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- with .pool }}
storeferry/pool: {{ . }}
{{- end }}
{{- end -}}

{{- define "storeferry.labels" -}}
{{ include "storeferry.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "storeferry.secretName" -}}
{{- .Values.secrets.existingSecret | default (include "storeferry.fullname" .) -}}
{{- end -}}

{{- define "storeferry.secretData" -}}
DATABASE_URL: {{ required "Set secrets.existingSecret, or secrets.databaseUrl and secrets.key." .Values.secrets.databaseUrl | quote }}
STOREFERRY_KEY: {{ required "Set secrets.key, from: openssl rand -base64 32." .Values.secrets.key | quote }}
{{- with .Values.secrets.oldKeys }}
STOREFERRY_OLD_KEYS: {{ . | quote }}
{{- end }}
{{- with .Values.secrets.openSearchUrl }}
OPENSEARCH_URL: {{ . | quote }}
{{- end }}
{{- with .Values.secrets.smtpUrl }}
SMTP_URL: {{ . | quote }}
{{- end }}
{{- with .Values.secrets.appClientSecret }}
STOREFERRY_APP_CLIENT_SECRET: {{ . | quote }}
{{- end }}
{{- with .Values.secrets.otlpHeaders }}
OTEL_EXPORTER_OTLP_HEADERS: {{ . | quote }}
{{- end }}
{{- end -}}

{{- define "storeferry.image" -}}
{{- $repository := required "Set image.repository to where you pushed the image that deploy/Dockerfile builds." .Values.image.repository -}}
{{- printf "%s:%s" $repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}

{{/* Settings of every process; the arguments are the root and the name of the Secret. */}}
{{- define "storeferry.environment" -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef: { name: {{ .secret }}, key: DATABASE_URL }
- name: STOREFERRY_KEY
  valueFrom:
    secretKeyRef: { name: {{ .secret }}, key: STOREFERRY_KEY }
- name: STOREFERRY_OLD_KEYS
  valueFrom:
    secretKeyRef: { name: {{ .secret }}, key: STOREFERRY_OLD_KEYS, optional: true }
- name: OPENSEARCH_URL
  valueFrom:
    secretKeyRef: { name: {{ .secret }}, key: OPENSEARCH_URL, optional: true }
- name: STOREFERRY_APP_CLIENT_SECRET
  valueFrom:
    secretKeyRef: { name: {{ .secret }}, key: STOREFERRY_APP_CLIENT_SECRET, optional: true }
- name: OTEL_EXPORTER_OTLP_HEADERS
  valueFrom:
    secretKeyRef: { name: {{ .secret }}, key: OTEL_EXPORTER_OTLP_HEADERS, optional: true }
- name: STOREFERRY_URL
  value: {{ required "Set url to the https address of the service." .root.Values.url | quote }}
{{- range $name, $value := .root.Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "storeferry.metricsEnvironment" -}}
- name: STOREFERRY_METRICS_HOST
  value: 0.0.0.0
- name: STOREFERRY_METRICS_PORT
  value: "9464"
{{- end -}}

{{/* Of the pod: the user of the image, and no access to the Kubernetes API. */}}
{{- define "storeferry.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "storeferry.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{- define "storeferry.placement" -}}
{{- range $field := list "nodeSelector" "tolerations" "affinity" }}
{{- with get $.of $field }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* New pods when the values of the Secret change; Kubernetes restarts nothing by itself. */}}
{{- define "storeferry.podAnnotations" -}}
{{- $annotations := deepCopy (.of.podAnnotations | default dict) -}}
{{- if not .root.Values.secrets.existingSecret -}}
{{- $_ := set $annotations "storeferry/secret" (include "storeferry.secretData" .root | sha256sum) -}}
{{- end -}}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
