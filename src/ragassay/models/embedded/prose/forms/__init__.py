"""The ways to ask for a part of a clause: importing this package registers them all."""

from ragassay.models.embedded.prose.forms import circumstances, conditions, manner, parts, quantities, whole
from ragassay.models.embedded.prose.forms.form import FORMS, Asked, Form, form

__all__ = ["FORMS", "Asked", "Form", "circumstances", "conditions", "form", "manner", "parts", "quantities", "whole"]
