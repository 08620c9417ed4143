"""Types of the settings beside `hooks`: one wrong type, and the client skips the file with all its hooks.

Measured on Claude Code 2.1.325 by giving every key a wrong value. Keys that the client forgives (it ignores the key
and keeps the file) are not listed, nor are keys it does not know.
"""

# ruff: noqa: SIM905 - long lists of words are read as words
from __future__ import annotations

from typing import Any

BOOLEANS = frozenset(
    """
        agentPushNotifEnabled allowAllClaudeAiMcps allowClaudeInChromeWithManagedMcp allowManagedHooksOnly
        allowManagedMcpServersOnly allowManagedPermissionRulesOnly alwaysThinkingEnabled autoCompactEnabled
        autoContinueAtUsageLimit autoDreamEnabled autoMemoryEnabled autoScrollEnabled autoUploadSessions
        awaySummaryEnabled axScreenReader bashEditDiffEnabled channelsEnabled clawdFileProgressEnabled
        disableAgentView disableAllHooks disableArtifact disableBundledSkills disableClaudeAiConnectors
        disableCommandPluginSources disableRemoteControl disableReplyCheck disableSideloadFlags
        disableSkillShellExecution disableWindowsBashCommandSplit disableWorkflows doneMeansMerged
        emojiCompletionEnabled enableAllProjectMcpServers enableArtifact enableWorkflows enforceAvailableModels
        fastMode fastModePerSessionOptIn fileCheckpointingEnabled forceRemoteSettingsRefresh idleCompaction
        includeCoAuthoredBy includeGitInstructions inputNeededNotifEnabled isolatePeerMachines
        precomputeCompactionEnabled prefersReducedMotion promptSuggestionEnabled remoteControlAtStartup
        respectGitignore respondToBashCommands responseComparisonEnabled showClearContextOnPlanAccept
        showMessageTimestamps showThinkingSummaries showTurnDuration skipAutoPermissionPrompt skipWebFetchPreflight
        skipWorkflowUsageWarning spinnerTipsEnabled switchModelsOnFlag syncClaudeAiPlugins syncClaudeAiSkills
        syntaxHighlightingDisabled terminalProgressBarEnabled terminalTitleFromRename todoFeatureEnabled
        totalTokensReminderAfterUserTurn useAutoModeDuringPlan verbose voiceEnabled wheelScrollAccelerationEnabled
        workflowKeywordTriggerEnabled wslInheritsWindowsSettings
    """.split()
)
STRINGS = frozenset(
    """
        $schema advisorModel agent apiKeyHelper attributionProject autoMemoryDirectory awsAuthRefresh
        awsCredentialExport claudeMd gcpAuthRefresh language minimumVersion model otelHeadersHelper outputStyle
        plansDirectory pluginTrustMessage prUrlTemplate processWrapper proxyAuthHelper requiredMaximumVersion
        requiredMinimumVersion timeZone
    """.split()
)
TEXT_LISTS = frozenset(
    """
        allowedHttpHookUrls availableModels claudeMdExcludes companyAnnouncements disabledMcpjsonServers
        enabledMcpjsonServers fallbackModel httpHookAllowedEnvVars pluginSuggestionMarketplaces
    """.split()
)
OBJECT_LISTS = frozenset(("allowedChannelPlugins", "blockedMarketplaces", "sshConfigs", "strictKnownMarketplaces"))
OBJECTS = frozenset(
    """
        autoMode breakReminder enabledPlugins env fileSuggestion modelOverrides permissions pluginConfigs quietHours
        remote remoteTools sandbox skillOverrides spinnerVerbs statusLine voice worktree
    """.split()
)
INTEGERS = frozenset(
    """
        cleanupPeriodDays desktopSessionCleanupPeriodDays skillListingMaxDescChars totalTokensReminderBudget
    """.split()
)
FRACTIONS = frozenset(("feedbackSurveyRate", "skillListingBudgetFraction"))
NULL_TOO = frozenset(
    """
        allowManagedHooksOnly allowManagedMcpServersOnly allowManagedPermissionRulesOnly autoContinueAtUsageLimit
        autoUploadSessions blockedMarketplaces channelsEnabled disableAgentView disableArtifact disableAutoMode
        disableBundledSkills disableClaudeAiConnectors disableCommandPluginSources disableDeepLinkRegistration
        disableRemoteControl disableSideloadFlags disableSkillShellExecution disableWindowsBashCommandSplit
        disableWorkflows enableAllProjectMcpServers enableArtifact enableWorkflows enforceAvailableModels
        fastModePerSessionOptIn feedbackDrafts isolatePeerMachines remoteControlAtStartup responseComparisonEnabled
        skipAutoPermissionPrompt skipWebFetchPreflight skipWorkflowUsageWarning strictKnownMarketplaces
        syncClaudeAiPlugins syncClaudeAiSkills useAutoModeDuringPlan
    """.split()
)
CHOICES: dict[str, tuple[str, ...]] = {
    "workflowSizeGuideline": (
        "unrestricted",
        "small",
        "medium",
        "large",
    ),
    "defaultShell": (
        "bash",
        "powershell",
    ),
    "managedSourcesBehavior": (
        "first-wins",
        "merge",
    ),
    "parentSettingsBehavior": (
        "first-wins",
        "merge",
    ),
    "feedbackDrafts": (
        "notify",
        "quiet",
        "off",
    ),
    "autoUpdatesChannel": (
        "latest",
        "stable",
        "rc",
    ),
    "tui": (
        "default",
        "fullscreen",
    ),
    "totalTokensReminder": (
        "off",
        "infinite",
        "fixed",
        "countdown",
        "padded-countdown",
    ),
    "disableAutoMode": ("disable",),
    "disableDeepLinkRegistration": ("disable",),
    "daemonColdStart": (
        "transient",
        "ask",
    ),
    "defaultView": (
        "chat",
        "transcript",
    ),
}


def wanted(key: str, value: Any) -> str | None:
    """What the client wants to see under this top-level key instead of `value`; None if it is content."""
    if value is None and key in NULL_TOO:
        return None
    if key in CHOICES and (not isinstance(value, str) or value not in CHOICES[key]):
        return "one of " + ", ".join(f'"{word}"' for word in CHOICES[key])
    return next((name for keys, name, fits in KINDS if key in keys and not fits(value)), None)


def wanted_in_permissions(key: str, value: Any) -> str | None:
    """The same for the members of `permissions`. A rule that is no text costs only itself."""
    if key in ("allow", "ask", "deny"):
        return None if isinstance(value, list) else "a list"
    if key == "additionalDirectories":
        return None if _is_texts(value) else "a list of texts"
    if key == "defaultMode":
        return None if isinstance(value, str) and value in MODES else "one of " + ", ".join(f'"{m}"' for m in MODES)
    if key == "disableBypassPermissionsMode":
        return None if value == "disable" else '"disable"'
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _is_status_line(value: Any) -> bool:
    return isinstance(value, dict) and value.get("type") == "command" and isinstance(value.get("command"), str)


MODES = ("default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions", "manual")
KINDS = (
    (BOOLEANS, "true or false", lambda value: isinstance(value, bool)),
    (STRINGS, "a text", lambda value: isinstance(value, str)),
    (TEXT_LISTS, "a list of texts", _is_texts),
    (OBJECT_LISTS, "a list of objects", _is_objects),
    (OBJECTS, "an object", lambda value: isinstance(value, dict)),
    (INTEGERS, "a whole number from 1 up", lambda value: _is_number(value) and value >= 1 and value == value // 1),
    (FRACTIONS, "a number from 0 to 1", lambda value: _is_number(value) and 0 <= value <= 1),
    (frozenset(("attribution",)), "true, false or an object", lambda value: isinstance(value, (bool, dict))),
    (frozenset(("statusLine",)), 'an object with "type": "command" and a "command"', _is_status_line),
)
